// The one grammar of durations: in options, config files, thresholds and the sandbox's config file.

const UNITS = {
  ms: 1,
  s: 1000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
} as const

export const DURATION = /^(\d+(?:\.\d+)?|\.\d+)\s*(ms|s|m|min|h|d)$/i

/** Reads `500ms`, `30s`, `2m`, `2 min`, `1.5h`, `1d` as milliseconds. A number without a unit is invalid. */
export function parseDuration(text: string): number | undefined {
  const [, number, unit = ''] = DURATION.exec(text.trim()) ?? []
  return number === undefined ? undefined : Number(number) * UNITS[unit.toLowerCase() as keyof typeof UNITS]
}
