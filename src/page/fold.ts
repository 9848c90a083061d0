// A text as the search sees it: letter case, accents, typographic forms and white space do not matter.

export const foldText = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{Mn}/gu, '')
    .toLowerCase()
    .replaceAll(/[\u2018\u2019\u201b]/g, "'")
    .replaceAll(/[\u201c\u201d\u201e]/g, '"')
    .replaceAll('ß', 'ss')
    .replaceAll(/\s+/g, ' ')
    .trim()
