// Seeds fast-check: the same cases in every run of the tests, so that a change breaks them and chance does not.
import fc from 'fast-check'

/**
 * `PROPERTY_SEED=random` looks for new cases, each law with a seed of its own; a law that fails says its seed, and
 * `PROPERTY_SEED=<number>` plays it again. A law that gives its own seed keeps it.
 */
const wanted = process.env['PROPERTY_SEED'] ?? '20260101'
if (wanted !== 'random') {
  const seed = Number(wanted)
  if (!Number.isInteger(seed)) throw new Error(`PROPERTY_SEED is a whole number or random, not '${wanted}'`)
  fc.configureGlobal({ seed })
}
