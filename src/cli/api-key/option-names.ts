// Names of options, as they are typed and as the config file has them: a list, as to load them all takes long. A test holds it whole.

/** Of eight characters or more; one that is part of another is not named. */
export const OPTION_NAMES: readonly string[] = `
--abort-on --accept-changes --allow-errors --allow-http --answer-time --api-key-env --arrival-rate --arrivals
--base-url --baseline --closed --concurrency --config --confirm --count-rejected --dataset
--duration --env-from --fail-on --find-limit --format --give-up-after --graceful-stop --grounded-sources
--hash-end-user-refs --history --ledger-columns --ledger-offset --ledger-status --ledger-tolerance
--ledger-zone --limiter-lost --margin --max-calls --max-in-flight --max-rate --min-overlap --no-header
--on-ambiguous --organization --partial --pass-policy --questions-per-user --quota-period --releases-per-month
--repeat --resume --retry-429 --retry-errors --reviews --rotating-ids --sample --sandbox --start-rate
--success-status --target --think-time --threshold --timeout --warm-up acceptChanges allowErrors allowHttp
apiKeyEnv arrivalRate countRejected findLimit giveUpAfter gracefulStop groundedSources hashEndUserRefs
limiterLost maxCalls maxInFlight minOverlap noHeader onAmbiguous passPolicy quotaPeriod retry429 retryErrors
rotatingIds startRate successStatus thinkTime
`
  .trim()
  .split(/\s+/)
