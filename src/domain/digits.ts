// Counts as people read them: thousands apart, the word in the right number.

/**
 * `30,000`; a fraction keeps its signs. As the list of conversations writes counts. Of more than a number holds exactly,
 * `about 9.13 × 10^16`.
 */
export const digits = (value: number | string): string =>
  Math.abs(Number(value)) > Number.MAX_SAFE_INTEGER
    ? rounded(Number(value))
    : String(value).replace(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g, ',')

/** `about 9.13 × 10^16`. */
export function rounded(value: number): string {
  const [size = '', power = ''] = value.toExponential(2).split('e+')
  return `about ${size} × 10^${power}`
}

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${digits(count)} ${count === 1 ? one : many}`
