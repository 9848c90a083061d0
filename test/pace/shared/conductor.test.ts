// The conductor alone: whom it grants leave, when, and what becomes of members that fall silent.
import { describe, expect, test } from 'vitest'
import { createConductor, type Conductor, type Office } from '../../../src/pace/shared/conductor.ts'
import type { Grant, Rules, Status, ToConductor } from '../../../src/pace/shared/protocol.ts'
import { GATHER_MS, SILENT_MS } from '../../../src/pace/shared/times.ts'
import { VirtualClock } from '../../support/virtual-clock.ts'

type Report = Extract<ToConductor, { kind: 'report' }>
const hints = { namedMs: undefined, resetMs: undefined, policyPerSecond: undefined, concurrent: undefined }
const accepted: Report['observation'] = { kind: 'accepted', lateMs: undefined, hints }

interface Given extends Grant {
  readonly to: string
  readonly at: number
}

class Stage {
  readonly clock = new VirtualClock()
  readonly grants: Given[] = []
  readonly told: Status[] = []
  readonly conductor: Conductor
  #number = 0

  constructor(office: Partial<Office> = {}) {
    this.conductor = createConductor(
      {
        term: '7:x',
        begun: '',
        learned: undefined,
        night: undefined,
        isOtherNight: true,
        closure: undefined,
        processes: 0,
        gatherMs: 0,
        ...office,
      },
      {
        clock: this.clock,
        random: () => 0.5,
        grant: (to, grant) => this.grants.push({ ...grant, to, at: this.clock.now() }),
        tell: (status) => this.told.push(status),
      },
    )
  }
  async pass(ms: number): Promise<void> {
    await this.clock.runUntil(this.clock.sleep(ms))
  }
  beat(
    from: string,
    waiting: number,
    rules: Partial<Rules> = {},
    held: readonly string[] = [],
    seen = 0,
  ): void {
    const all = { perSecond: 10, concurrency: undefined, start: undefined, share: 1, ...rules }
    this.conductor.receive({ kind: 'beat', ...this.about(from, waiting, seen), held: [...held], rules: all })
  }
  want(from: string, waiting: number, seen: number): void {
    this.conductor.receive({ kind: 'want', ...this.about(from, waiting, seen) })
  }
  report(from: string, permit: string, observation: Report['observation'], waiting = 0, seen = 0): void {
    this.conductor.receive({ kind: 'report', ...this.about(from, waiting, seen), permit, observation })
  }
  private about(from: string, waiting: number, seen: number) {
    return { from, term: '7:x', number: (this.#number += 1), waiting, seen }
  }
}

describe('leave', () => {
  test('goes round those who wait, at the pace, and says to which message it is the answer', async () => {
    const stage = new Stage()
    for (const id of ['a', 'b', 'c']) stage.beat(id, 5)
    await stage.pass(550)
    expect(stage.grants.map(({ to }) => to)).toEqual(['a', 'b', 'c', 'a', 'b', 'c'])
    expect(stage.grants.map(({ sequence }) => sequence)).toEqual([1, 1, 1, 2, 2, 2])
    expect(stage.grants.map(({ answers }) => answers)).toEqual([1, 2, 3, 1, 2, 3])
    expect(new Set(stage.grants.map(({ permit }) => permit)).size).toBe(6)
  })

  test('that is on its way is not given again to a call that asked before it came', async () => {
    const stage = new Stage()
    stage.beat('a', 1)
    expect(stage.grants).toHaveLength(1)
    // Sent before the grant arrived.
    stage.want('a', 1, 0)
    await stage.pass(300)
    expect(stage.grants).toHaveLength(1)
    stage.want('a', 1, 1)
    expect(stage.grants).toHaveLength(2)
  })

  test('is for so many at once as the fewest that any member allows, in all of them together', async () => {
    const stage = new Stage()
    stage.beat('a', 9, { concurrency: 3 })
    stage.beat('b', 9, { concurrency: 2 })
    await stage.pass(1000)
    expect(stage.grants).toHaveLength(2)
    stage.report('a', stage.grants[0]?.permit ?? '', accepted, 8, 1)
    await stage.pass(200)
    expect(stage.grants).toHaveLength(3)
  })
})

describe('one that follows another', () => {
  test('takes as many to share the limit as did, until they have had time to speak', async () => {
    const stage = new Stage({ processes: 3 })
    stage.beat('a', 0)
    expect(stage.conductor.status().processes).toBe(3)
    stage.beat('b', 0)
    expect(stage.told.flatMap(({ cause }) => (/share|alone/.test(cause ?? '') ? [cause] : []))).toEqual([])
    for (let beats = 0; beats < 5; beats += 1) {
      await stage.pass(300)
      for (const id of ['a', 'b']) stage.beat(id, 0)
    }
    expect(stage.conductor.status().processes).toBe(2)
    const told = stage.told.flatMap(({ cause }) => (/share|alone/.test(cause ?? '') ? [cause] : []))
    expect(told).toEqual(['2 processes share the limit'])
  })
})

describe('a member that falls silent', () => {
  test('gives back its permits and its part, and one that speaks again is there again', async () => {
    const stage = new Stage()
    stage.beat('gone', 1, { concurrency: 1 })
    expect(stage.grants.map(({ to }) => to)).toEqual(['gone'])
    for (let beat = 0; beat < 20; beat += 1) {
      stage.beat('here', 1, { concurrency: 1 })
      await stage.pass(300)
    }
    expect(stage.grants.map(({ to }) => to)).toEqual(['gone', 'here'])
    expect(stage.grants[1]?.at).toBeGreaterThan(SILENT_MS)
    expect(stage.told.at(-1)?.processes).toBe(1)
    stage.beat('gone', 0)
    expect(stage.conductor.status().processes).toBe(2)
  })

  test('one that leaves, or that nothing reaches, does so at once', () => {
    const stage = new Stage()
    stage.beat('a', 1, { concurrency: 1 })
    stage.beat('b', 1, { concurrency: 1 })
    stage.conductor.drop('a')
    expect(stage.conductor.status().processes).toBe(1)
    stage.conductor.receive({ kind: 'leave', from: 'b' })
    expect(stage.conductor.status().processes).toBe(0)
  })

  test('a permit that its holder does not know of, or has forgotten, is taken back', async () => {
    const stage = new Stage()
    stage.beat('a', 2, { concurrency: 1 })
    // It came, and what became of it was lost on the way.
    stage.beat('a', 1, { concurrency: 1 }, [], 1)
    await stage.pass(200)
    expect(stage.grants).toHaveLength(2)
    // It never came: known only after a while, as it may still be on its way.
    for (let beat = 0; beat < 12; beat += 1) {
      stage.beat('a', 1, { concurrency: 1 }, [], 1)
      await stage.pass(300)
    }
    expect(stage.grants).toHaveLength(3)
    expect((stage.grants[2]?.at ?? 0) - (stage.grants[1]?.at ?? 0)).toBeGreaterThan(SILENT_MS)
  })
})

describe('a new conductor', () => {
  test('first hears what is under way, and counts it', async () => {
    const stage = new Stage({ gatherMs: GATHER_MS })
    stage.beat('a', 5, { concurrency: 2 }, ['6:y:41'])
    await stage.pass(GATHER_MS - 1)
    expect(stage.grants).toEqual([])
    await stage.pass(500)
    expect(stage.grants).toHaveLength(1)
    stage.report('a', '6:y:41', accepted, 4, 1)
    await stage.pass(500)
    expect(stage.grants).toHaveLength(2)
  })

  test('keeps the pause of the one before, and the wait that an older call is told', async () => {
    const stage = new Stage({ closure: { from: 0, until: 800 } })
    stage.beat('a', 5)
    expect(stage.conductor.status().closure).toEqual({ sinceMs: 0, forMs: 800 })
    await stage.pass(799)
    expect(stage.grants).toEqual([])
    stage.report('a', '6:y:41', { kind: 'rateLimited', namedMs: 2000, hints: { ...hints, namedMs: 2000 } }, 5)
    expect(stage.told.at(-1)?.cause).toBe('429, Retry-After 2 s')
    await stage.pass(1999)
    expect(stage.grants).toEqual([])
    await stage.pass(2)
    expect(stage.grants).toHaveLength(1)
  })
})

test('after a refusal one probe goes for all, whoever was refused', async () => {
  const stage = new Stage()
  for (const id of ['a', 'b', 'c']) stage.beat(id, 5, { perSecond: undefined })
  await stage.pass(300)
  const before = stage.grants.length
  const last = stage.grants.at(-1)
  stage.report(
    last?.to ?? '',
    last?.permit ?? '',
    { kind: 'rateLimited', namedMs: 1000, hints: { ...hints, namedMs: 1000 } },
    5,
    1,
  )
  await stage.pass(999)
  expect(stage.grants).toHaveLength(before)
  await stage.pass(250)
  expect(stage.grants).toHaveLength(before + 1)
})

test('a pause outlives a member that comes with other rules', async () => {
  const stage = new Stage()
  stage.beat('a', 5)
  const named = { kind: 'rateLimited', namedMs: 5000, hints: { ...hints, namedMs: 5000 } } as const
  stage.report('a', stage.grants[0]?.permit ?? '', named, 5, 1)
  stage.beat('b', 5, { perSecond: 4 })
  for (let beat = 0; beat < 8; beat += 1) {
    await stage.pass(600)
    stage.beat('b', 5, { perSecond: 4 })
  }
  expect(stage.grants).toHaveLength(1)
  await stage.pass(400)
  expect(stage.grants.length).toBeGreaterThan(1)
})

test('members that come with a slower rate slow all', async () => {
  const stage = new Stage()
  stage.beat('a', 1)
  expect(stage.conductor.status().pace).toBeCloseTo(9.9, 5)
  stage.beat('b', 1, { perSecond: 4 })
  expect(stage.conductor.status().pace).toBeCloseTo(3.96, 5)
  stage.conductor.receive({ kind: 'leave', from: 'b' })
  expect(stage.conductor.status().pace).toBeCloseTo(9.9, 5)
})

test('a machine that wakes late costs no pace, but repays no long sleep', async () => {
  const stage = new Stage()
  stage.beat('a', 99)
  // It looks at its timers every thirty milliseconds only.
  for (let look = 1; look <= 100; look += 1) {
    stage.clock.jump(30)
    await stage.pass(0)
    if (look % 10 === 0) stage.want('a', 99, stage.grants.length)
  }
  expect(stage.grants.length).toBeGreaterThanOrEqual(29)
  const before = stage.grants.length
  stage.clock.jump(2000)
  stage.want('a', 99, before)
  await stage.pass(0)
  expect(stage.grants.length - before).toBeLessThanOrEqual(1)
})
