// Contrast of the page's colours in each scheme, by WCAG 2.2, success criteria 1.4.3 and 1.4.11.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const css = readFileSync(new URL('../../src/page/colours.css', import.meta.url), 'utf8')
const schemes = [...css.matchAll(/:root \{([^}]*)\}/g)].map(
  ([, body = '']) =>
    new Map(
      Array.from(body.matchAll(/--([\w-]+): (#[\da-f]{6});/g), ([, name = '', value = '']) => [name, value]),
    ),
)

/** https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((place) => {
    const channel = Number.parseInt(colour.slice(place, place + 2), 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(some: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(some), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

test('black on white is 21 to 1, as published', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
})

describe.each(
  ['light', 'dark', 'paper'].map(
    (name, place) => [name, schemes[place] ?? new Map<string, string>()] as const,
  ),
)('%s', (_, colours) => {
  const of = (name: string): string => colours.get(name) ?? 'missing'
  test.each(['ink', 'muted', 'kb', 'other', 'bad', 'warn', 'link'])(
    '%s is read on the page and on what is raised',
    (name) => {
      expect(contrast(of(name), of('paper'))).toBeGreaterThanOrEqual(4.5)
      expect(contrast(of(name), of('raised'))).toBeGreaterThanOrEqual(4.5)
    },
  )
  test.each(['mark-added', 'mark-removed'])('what is marked is read on %s', (name) => {
    expect(contrast(of('ink'), of(name))).toBeGreaterThanOrEqual(4.5)
  })
  test('the frame of what can be used is seen', () => {
    expect(contrast(of('control'), of('paper'))).toBeGreaterThanOrEqual(3)
  })
})
