// Validates files against the published schemas of JUnit XML.
import { readFileSync } from 'node:fs'
import { validateXML } from 'xmllint-wasm'

const read = (name: string): string => readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8')

/** Adds `skipped`, which the published schema has today and this file does not. */
function withSkipped(schema: string): string {
  const changed = schema
    .replace('<xs:choice minOccurs="0">', '$&<xs:element name="skipped"/>')
    .replace(
      /<xs:attribute name="errors" type="xs:int" use="required">/,
      '<xs:attribute name="skipped" type="xs:int" use="optional"/>$&',
    )
  if (changed.split('skipped').length !== 3) throw new Error('the schema is not the expected one')
  return changed
}

export const schemas = {
  'Windy Road': withSkipped(read('JUnit.xsd')),
  'Jenkins, version 4': read('jenkins-junit-4.xsd'),
} as const

/** The errors of each file by every schema; none if it is valid. Many files take hardly longer than one. */
export async function validationErrorsOfEach(files: readonly string[]): Promise<string[][]> {
  const xml = files.map((contents, place) => ({ fileName: `${place}.xml`, contents }))
  const found = await Promise.all(
    Object.entries(schemas).map(async ([name, schema]) => {
      const { errors } = await validateXML({ xml, schema, maxMemoryPages: 4096 })
      // An excerpt of the file follows its message, without a file name.
      let file: string | undefined
      return errors.map(({ message, loc }) => {
        file = loc?.fileName ?? file
        return { file, text: `${name}: ${message}` }
      })
    }),
  )
  return xml.map(({ fileName }) =>
    found.flat().flatMap(({ file, text }) => (file === undefined || file === fileName ? [text] : [])),
  )
}

export const validationErrors = async (xml: string): Promise<string[]> =>
  (await validationErrorsOfEach([xml])).flat()
