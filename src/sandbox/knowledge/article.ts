// What the assistant knows: articles in sections.

export interface Section {
  /** Empty for text before the first heading. */
  readonly heading: string
  readonly text: string
}

export interface Article {
  /** Unique in its knowledge base: the file's path without `.md`. */
  readonly slug: string
  readonly title: string
  readonly category?: string
  /** Never empty. */
  readonly sections: readonly [Section, ...Section[]]
}
