// What the processes of an organization share: a lease that one of them holds, and the way from each to each.

export interface Claim {
  /** Whose lease holds now. */
  readonly term: string
  /** It is ours, since just now. */
  readonly isNew: boolean
  /** What the last conductor published, and how long ago, milliseconds; only with a new lease. */
  readonly published: { readonly text: string; readonly ageMs: number } | undefined
}

/** Every call rejects where Redis does not answer in time. Texts are JSON of the protocol. */
export interface Bus {
  /**
   * Takes the lease where nobody holds it, or renews it where it is ours. `highest`: the highest fencing number that we
   * know, so that a Redis which has forgotten them does not begin again. `suspect`: the term of a holder whom nothing
   * reaches any more; it loses the lease if that is so. `office`: the term in which we conduct. A lease that was given to
   * us in another, when the answer was lost or since given up, is taken anew: nobody conducts by it.
   */
  claim(highest: number, suspect: string | undefined, office: string | undefined): Promise<Claim>
  /**
   * From the conductor to one member, or to `all`. Nothing is sent, and 'deposed' returned, where `term` holds the lease no
   * longer. Else how many received it. `published` is what a next conductor gets to read.
   */
  publish(term: string, to: string, text: string, published?: string): Promise<number | 'deposed'>
  /** To the conductor of `term`, or any one process. Returns how many received it. */
  send(term: string, text: string): Promise<number>
  /** Gives the lease back, so that the next need not wait for its end. */
  release(term: string, published: string): Promise<void>
  /** What is for this process, and for all. */
  onMessage(listener: (text: string) => void): void
  /** The connection broke (false), or stands again (true). */
  onConnection(listener: (isUp: boolean) => void): void
  close(): Promise<void>
}

/** A term is a fencing number, which only ever rises, and who holds it. */
export const fenceOf = (term: string): number => Number(term.split(':')[0])
export const holderOf = (term: string): string => term.split(':')[1] ?? ''
