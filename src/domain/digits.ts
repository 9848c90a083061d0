// Counts as people read them: thousands apart, the word in the right number.

/** `30,000`; a fraction keeps its signs. As the list of conversations writes counts. */
export const digits = (value: number | string): string =>
  String(value).replace(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g, ',')

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${digits(count)} ${count === 1 ? one : many}`
