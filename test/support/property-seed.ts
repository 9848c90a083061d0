// Seeds fast-check, so that every run of the tests has the same cases and fails because of a change, not by
// chance.
import fc from 'fast-check'

/**
 * `PROPERTY_SEED=random` looks for new cases with another seed for each property. A property that fails
 * prints its seed, and `PROPERTY_SEED=<number>` repeats it. A property with its own seed keeps it.
 */
const wanted = process.env['PROPERTY_SEED'] ?? '20260101'
if (wanted !== 'random') {
  const seed = Number(wanted)
  if (!Number.isInteger(seed)) throw new Error(`PROPERTY_SEED is a whole number or random, not '${wanted}'`)
  fc.configureGlobal({ seed })
}
