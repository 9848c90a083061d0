// Protects the option table: defaults are valid values, and the library takes no option of the command line alone; and how
// the address of Redis is read (scenarios/invalid.txt covers rejected addresses).
import { Redis } from 'ioredis'
import { expect, test } from 'vitest'
import { DEFAULT_RULES } from '../../src/domain/comparison.ts'
import { realPorts } from '../../src/library/ports.ts'
import { readRedisUrl } from '../../src/library/targets.ts'
import { placeOf } from '../../src/options/place.ts'
import { readOptions } from '../../src/options/settings.ts'
import { optionEntries, OPTIONS, shownDefault } from '../../src/options/table.ts'

test.each(optionEntries.filter(([, option]) => option.default !== undefined))(
  'the default of %s is a value of it, and is documented as a person types it',
  (_, option) => {
    const { value, default: byDefault } = option
    expect(value.stored.safeParse(byDefault).error).toBeUndefined()
    const shown = shownDefault(option)
    // An option without a documented default is a list that nothing is in.
    expect(shown === undefined ? [] : value.typed.parse(shown)).toEqual(byDefault)
  },
)

test('the rules that fail a comparison by default are documented from the rules themselves', () => {
  const { failOn } = OPTIONS
  expect(failOn.value.typed.parse(shownDefault(failOn))).toEqual(DEFAULT_RULES)
})

const FILE = { sandbox: true, target: ['qa'], baseUrl: 'https://file.example.com' }

test.each([
  [{}, FILE, { sandbox: true }],
  [{}, { ...FILE, sandbox: false }, { sandbox: false, target: ['qa'] }],
  [{ baseUrl: 'https://typed.example.com' }, FILE, { sandbox: false, baseUrl: 'https://typed.example.com' }],
])('of the places %j typed and %j in the config file, %j counts', (typed, file, place) => {
  expect(placeOf(typed, file)).toEqual(place)
})

test('estimate takes what the config file of run may hold', () => {
  const options = { baseUrl: 'https://desk.example.com', threshold: ['coverage>=80%'], maxCalls: 9 }
  expect(readOptions('estimate', options)).toEqual(options)
})

test.each([
  ['run', { json: true }],
  ['run', { arrivalRate: '2/s' }],
  ['estimate', { resume: 'reports/nightly' }],
  ['report', { maxCalls: 3 }],
] as const)('%s rejects %j', (command, options) => {
  expect(() => readOptions(command, options)).toThrow('is unknown')
})

const plain = { tls: undefined, db: 0, username: null, password: null }

test.each([
  ['redis://desk', { ...plain, host: 'desk', port: 6379 }],
  ['rediss://desk:7000/3', { ...plain, host: 'desk', port: 7000, tls: true, db: 3 }],
  ['redis://[::1]:6380', { ...plain, host: '::1', port: 6380 }],
  [
    ' redis://ann:p%40ss-word@desk ',
    { ...plain, host: 'desk', port: 6379, username: 'ann', password: 'p@ss-word' },
  ],
])('%s is read', (url, address) => {
  const { href } = readRedisUrl({ ...realPorts(), env: { ASSIST_REDIS_URL: url } })
  expect({ tls: undefined, ...new Redis(href, { lazyConnect: true }).options }).toMatchObject(address)
})
