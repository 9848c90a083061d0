// The part of autocannon that the bench uses; it brings no types of its own.
declare module 'autocannon' {
  interface Options {
    readonly url: string
    readonly connections: number
    /** Seconds. */
    readonly duration: number
    readonly method: 'POST'
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
  }
  export default function autocannon(
    options: Options,
  ): Promise<{ readonly requests: { readonly total: number } }>
}
