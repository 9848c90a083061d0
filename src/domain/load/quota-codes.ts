// Codes of 429s that say in their name that an allowance is used up, and not that calls came too fast.

/** Of `refusals.byCode`, most frequent first. */
export const quotaCodesOf = (byCode: Readonly<Record<string, number>>): string[] =>
  Object.keys(byCode).filter((code) => /quota/i.test(code))
