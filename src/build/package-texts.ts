// The files of the package that are made of the program's types and schemas, as texts.
import type { SaidOtherwise } from '../cli/options/command-line.ts'
import { SAID_IN_COMPARE } from '../cli/options/compare-options.ts'
import { optionEntries, toCamelCase } from '../cli/options/run-options.ts'
import { COMPARISON, makeSchemas } from './schemas.ts'
import { writeDeclarations } from './types/declarations.ts'
import { readTypes } from './types/program-types.ts'

export const DECLARATIONS = 'dist/types/index.d.ts'
const ENTRY = 'src/library/index.ts'
const NOTE =
  "// What `import … from 'assist-harness'` gives. Made by `npm run build:package` of src/library.\n\n"

/** By their paths below `root`, which ends with a slash. Takes some seconds: a compiler reads the program. */
export function packageTexts(root: string): ReadonlyMap<string, string> {
  const types = readTypes(root, [ENTRY, COMPARISON])
  const schemas = [...makeSchemas(types)].map(
    ([name, schema]) => [`schemas/${name}`, `${JSON.stringify(schema, null, 2)}\n`] as const,
  )
  return new Map([[DECLARATIONS, NOTE + writeDeclarations(types, ENTRY, docsOf)], ...schemas])
}

/** What is said of each option in the library's type of that name: what help says, where it means the same there. */
function docsOf(type: string): ReadonlyMap<string, string> {
  const said: SaidOtherwise = type === 'CompareOptions' ? SAID_IN_COMPARE : {}
  return new Map(
    optionEntries.map(([name, spec]) => {
      const { describe, default: byDefault } = { ...spec, ...said[name] }
      return [toCamelCase(name), `${describe}${byDefault === undefined ? '' : ` [default: ${byDefault}]`}`]
    }),
  )
}
