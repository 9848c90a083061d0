// Figures as all rooms write them.

const SECONDS = { s: 1, min: 60, h: 3600 } as const

/** A pace in the unit that reads best: `4/s`, `60/min`, `12/h`. */
export function formatPace(perSecond: number | null): string {
  if (perSecond === null) return 'unlimited'
  const [unit, seconds] = Object.entries(SECONDS).find(([, s]) => perSecond * s >= 1.95) ?? ['h', SECONDS.h]
  return `${Number((perSecond * seconds).toPrecision(3))}/${unit}`
}
