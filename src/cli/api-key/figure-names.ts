// Names that thresholds give to figures: a list, as to load the schemas takes long. A test holds it whole.

/** Of eight characters or more; one that is part of another is not named. */
export const FIGURE_NAMES: readonly string[] = `
achieved.callsPerSecond achieved.rate achieved.threads achieved.turnsPerSecond contextSource coverage.answered
coverage.cluster.high coverage.cluster.low coverage.cluster.threads coverage.effective coverage.grounded
coverage.high coverage.lostToContext coverage.lostToErrors coverage.low coverage.questions coverage.rate
dropped.rate dropped.threads errors.asked errors.byCode errors.byHttpStatus errors.byOutcome errors.errors
errors.rate expectations.failed expectations.none expectations.notAsked expectations.notGraded
expectations.passed expectations.rate failureLatency.count failureLatency.max failureLatency.mean
failureLatency.p50 failureLatency.p90 failureLatency.p95 failureLatency.p99 failureLatencyMs.count
failureLatencyMs.max failureLatencyMs.mean failureLatencyMs.p50 failureLatencyMs.p90 failureLatencyMs.p95
failureLatencyMs.p99 failureMs.count failureMs.max failureMs.mean failureMs.p50 failureMs.p90 failureMs.p95
failureMs.p99 lag.count lag.mean latency.count latency.max latency.mean latency.p50 latency.p90 latency.p95
latency.p99 latencyMs.count latencyMs.max latencyMs.mean latencyMs.p50 latencyMs.p90 latencyMs.p95
latencyMs.p99 offered.rate offered.threads pacing.changesLeftOut pacing.rate429 pacing.rateLimited
quota.attempts quota.certain quota.max quota.min quota.notCounted quota.possible quota.shareOfQuota
refused.count refused.max refused.mean refused.p50 refused.p90 refused.p95 refused.p99 refusedMs.count
refusedMs.max refusedMs.mean refusedMs.p50 refusedMs.p90 refusedMs.p95 refusedMs.p99 response.count
response.max response.mean response.p50 response.p90 response.p95 response.p99 responseMs.count responseMs.max
responseMs.mean responseMs.p50 responseMs.p90 responseMs.p95 responseMs.p99 sendLagMs.count sendLagMs.max
sendLagMs.mean sendLagMs.p50 sendLagMs.p90 sendLagMs.p95 sendLagMs.p99 service.count service.max service.mean
service.p50 service.p90 service.p95 service.p99 serviceMs.count serviceMs.max serviceMs.mean serviceMs.p50
serviceMs.p90 serviceMs.p95 serviceMs.p99 turns.answered turns.contextLost turns.malformed turns.network_error
turns.notAsked turns.rate_limited turns.refused turns.server_error turns.skipped turns.timeout turns.total
wait.count wait.max wait.mean wait.p50 wait.p90 wait.p95 wait.p99 waitMs.count waitMs.max waitMs.mean
waitMs.p50 waitMs.p90 waitMs.p95 waitMs.p99
`
  .trim()
  .split(/\s+/)

/** Of each value that the endpoint chooses there is a figure: `errors.byOutcome.timeout`. */
export const FIGURES_BY_VALUE: readonly string[] = [
  'contextSource',
  'status',
  'errors.byOutcome',
  'errors.byHttpStatus',
  'errors.byCode',
]
