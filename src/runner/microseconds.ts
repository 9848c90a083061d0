// Times as they are recorded.

/** To the thousandth of a millisecond: further digits are the clock's noise, and a third of the journal. */
export const toMicroseconds = (ms: number): number => Math.round(ms * 1000) / 1000
