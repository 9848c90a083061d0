// Exchanges under way: whoever is added is there until it is taken away, in any order of both.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Exchange, type ExchangePorts } from '../../src/endpoint/exchange.ts'
import { UnderWay } from '../../src/endpoint/under-way.ts'

const ports: ExchangePorts = {
  now: () => 0,
  started: () => undefined,
  ended: () => undefined,
  freed: () => undefined,
}
const open = (): Exchange =>
  new Exchange(ports, new AbortController().signal, { ended: () => undefined, failed: () => undefined })

it('holds what was added and not taken away', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.nat(20)), { maxLength: 60 }), (deeds) => {
      const underWay = new UnderWay()
      const model = new Set<Exchange>()
      for (const deed of deeds) {
        const one = deed === null ? open() : [...model][deed % Math.max(1, model.size)]
        if (one === undefined) continue
        if (deed === null) underWay.add(one)
        else underWay.remove(one)
        if (deed === null) model.add(one)
        else model.delete(one)
        expect(new Set(underWay)).toEqual(model)
      }
      for (const one of model) {
        underWay.remove(one)
        underWay.remove(one)
      }
      expect([...underWay]).toEqual([])
    }),
  )
})

it('can be gone through while what is there is taken away', () => {
  const underWay = new UnderWay()
  const all = [open(), open(), open()]
  for (const one of all) underWay.add(one)
  const seen: Exchange[] = []
  for (const one of underWay) {
    seen.push(one)
    underWay.remove(one)
  }
  expect(seen).toEqual(all)
  expect([...underWay]).toEqual([])
})
