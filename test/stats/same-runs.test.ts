// Comparing a thing with itself: how often the paired tests cry wolf, over threads of one to six turns.
import { expect, test } from 'vitest'
import { bootstrapShares, type PairedCluster } from '../../src/stats/paired-bootstrap.ts'
import { seededRandom } from '../../src/stats/random.ts'
import { signFlipTest } from '../../src/stats/paired-tests.ts'

/** Two runs of the same: of the questions, the share `unsure` is answered with a chance of its own, both times. */
function sameTwice(random: () => number, threads: number, unsure: number): PairedCluster[] {
  return Array.from({ length: threads }, () => {
    const one = { turns: 1 + Math.floor(random() * 6), baseline: 0, candidate: 0 }
    for (let turn = 0; turn < one.turns; turn += 1) {
      const chance = random() < unsure ? random() : Number(random() < 0.7)
      if (random() < chance) one.baseline += 1
      if (random() < chance) one.candidate += 1
    }
    return one
  })
}

// The standard error of a rate of 5 % of 2,000 is half a point.
test.each([
  [10, 1],
  [40, 0.2],
  [43, 0.05],
  [86, 0.3],
])(
  '%i threads, %d of the questions unsure: at 0.05 some 5 comparisons in 100 reject, not more',
  (threads, unsure) => {
    const random = seededRandom(41)
    let [bootstrap, flips] = [0, 0]
    for (let run = 0; run < 2000; run += 1) {
      const clusters = sameTwice(random, threads, unsure)
      if ((bootstrapShares(clusters, { random, replicates: 199 })?.p ?? 1) <= 0.05) bootstrap += 1
      if (signFlipTest(clusters.map((one) => one.candidate - one.baseline)) <= 0.05) flips += 1
    }
    console.info(
      `${threads} threads, ${unsure} unsure: bootstrap ${bootstrap / 2000}, sign flips ${flips / 2000}`,
    )
    expect(bootstrap / 2000).toBeLessThanOrEqual(0.06)
    expect(flips / 2000).toBeLessThanOrEqual(0.055)
  },
)
