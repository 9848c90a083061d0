// One number for a thread and its repeat: a text of both would be made anew, and read, five times a call.

/** More repeats than a journal can hold calls. */
const MOST_REPEATS = 2 ** 30

/** Exact for threads up to 2^22, the unknown ones (below 0) too. */
export const threadKey = (thread: number, repeat: number): number => thread * MOST_REPEATS + repeat
