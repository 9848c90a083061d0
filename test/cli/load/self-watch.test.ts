// The generator's own figures: from the kernel's line, and from this very process.
import { expect, test } from 'vitest'
import { createSelfWatch, parseBusyTicks } from '../../../src/cli/load/self-watch.ts'

test.each([
  // user nice system idle iowait irq softirq steal guest guest_nice; guests stand in user and nice already.
  ['cpu  100 20 30 4000 500 6 7 8 9 10', 171],
  ['cpu 1 2 3 4', 6],
  ['cpu0 1 2 3 4 5 6 7 8', undefined],
  ['', undefined],
  ['cpu x y z', undefined],
])('%j', (line, ticks) => {
  expect(parseBusyTicks(line)).toBe(ticks)
})

test('a process that blocks itself sees that it was late, and busy', async () => {
  const watch = createSelfWatch()
  try {
    await new Promise((resolve) => {
      setTimeout(resolve, 50)
    })
    const end = performance.now() + 150
    while (performance.now() < end);
    await new Promise((resolve) => {
      setTimeout(resolve, 20)
    })
    const busy = watch.sample({ inFlight: 3, waiting: 1 }, 1000)
    expect(busy).toMatchObject({ kind: 'generator', at: 1000, inFlight: 3, waiting: 1 })
    expect(busy.loopDelayMaxMs).toBeGreaterThan(100)
    expect(busy.cpu).toBeGreaterThan(0)
    await new Promise((resolve) => {
      setTimeout(resolve, 50)
    })
    // Each sample stands for its own time alone.
    expect(watch.sample({ inFlight: 0, waiting: 0 }, 2000).loopDelayMaxMs).toBeLessThan(busy.loopDelayMaxMs)
  } finally {
    watch.end()
  }
})
