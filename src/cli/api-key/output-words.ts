// Columns, names of fields, and words that fields hold, in all that is written: a list, as to load the schemas takes long. A test holds it whole.

/** Of eight characters or more; one that is part of another is not named. */
export const OUTPUT_WORDS: readonly string[] = `
abandoned acceptable acceptedExplained achieved afterArrivals agreement allowance answerToError
answerToSkipped answeredToo answersDiffer areNamed arrivals attempts availability awaitedCount
baseline_answer baseline_grounded baseline_latency_ms baseline_outcome baseline_passed baseline_source
bootstrap burst-uncertain byHttpStatus byOfferedRate byOutcome callsPerSecond callsPerTurn callsUsed
candidate_answer candidate_grounded candidate_latency_ms candidate_outcome candidate_passed candidate_source
candidates changedAtMs changesLeftOut comparison concurrency confidence confirmations confirmed constant
contains contextLost contextRegained contextSource context_lost context_source conversationId conversations
countRejected countedRefusals coverage_high coverage_low datasets difference discordance durationMs
effective endUserRef ended_at episodes errorInBoth errorToAnswer error_code error_count error_message
estimate evidence exitCode exit_code expectationsEdited expression factsChanged factsGained factsLost
facts_gained facts_lost failInBoth failToPass failureLatencyMs failureMs failures few-refusals first-call
fixed-window foreign-traffic foreignCpu foreignPerSecond formatVersion gap_questions gap_topics generator
gracefulStopMs groundFlaky groundedSources groundingGained groundingLost groundingRate groundingTrend
harnessVersion harness_version heldForMs heldPerSecond histograms httpStatus http_status inFlight incomplete
interrupted judgedByMerge keepingUp keyRefused latency.p50 latency.p95 latencyMs latency_p50_ms
latency_p95_ms latestMs ledger_at ledger_calls ledger_conversation_id ledger_end_user_ref ledger_file
ledger_line ledger_status letThrough limit-changed limiterLost log-of-all lognormal loopDelayMaxMs
loopDelayP99Ms lostToContext lostToErrors malformed matched_by maxCalls maxInFlight maxLatencyMs
maxPerSecond medianMs microseconds minOverlap minSimilarity model-fits-badly month_quota_share
month_usage_max month_usage_min monthlyShare must-pass mustPass networkMs network_error no-refusal none-met
notAsked notContains notCounted notGraded one-episode onlyRose order-blurred organization
other-kind-fits-as-well otherAnswer outcomes overTime part-of-record-used partsMissing passFlaky passRate
passToFail passed_high passed_low pausedUntil perSecond possible presence processes question_sets
questions_changed quickestMs quota.max quotaSpent quota_calls quota_period rate-uncertain rateLimitCodes
rateLimited rate_429 rate_limited refusedExplained refusedMs rejection rephrased responseMs retry429
reviewed runnerUpBehind sendLagMs sendLagP99Ms sensitivity server_error serviceMs settings_changed
shareOfQuota similarity sittings skippedToAnswer sliding-window sourceChanged startedAt started_at
successStatus sureness sustainedPerSecond thinkTime thresholds together token-bucket turnsDue turnsPerSecond
unanswered unexplained untested variants verdicts wait.p95 warmUpMs warnings window-uncertain windowMs
withContext withinButDiffers wrongAnswers
`
  .trim()
  .split(/\s+/)

/** Of our files, our commands and the program: what paths, and commands to go on with, are written of. As above. */
export const OUTPUT_NAMES: readonly string[] = `
assist-harness.yaml comparison.csv comparison.json comparison.md completion follow-ups.csv history.csv
history.html journal.ndjson junit.xml ledger.csv ledger.json limit.json load.csv load.json load.prom
nightly.yaml openapi.json package.json promptfoo.csv promptfooconfig.yaml questions.csv quickstart.csv
readme.md regression.csv report.html results.csv results.edited.csv reviews.csv run.json sandbox.yaml
summary.json summary.md usage.csv validate
`
  .trim()
  .split(/\s+/)
