// `npm run build:sbom`: writes the software bill of materials of the package (CycloneDX): what is installed
// with it. `npm pack` runs it.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import * as z from 'zod'

const root = new URL('../../', import.meta.url)
const SBOM_FILE = fileURLToPath(new URL('sbom.cdx.json', root))

const componentSchema = z.looseObject({
  'bom-ref': z.string(),
  name: z.string(),
  properties: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
  externalReferences: z.array(z.looseObject({ type: z.string() })).default([]),
})
type Component = z.infer<typeof componentSchema>

const sbomSchema = z.looseObject({
  serialNumber: z.unknown().optional(),
  metadata: z.looseObject({ timestamp: z.unknown().optional(), component: componentSchema }),
  components: z.array(componentSchema),
  dependencies: z.array(z.object({ ref: z.string(), dependsOn: z.array(z.string()) })),
})

/** npm's own `--omit dev` also drops what a tool of development needs beside us. */
const isOfDevelopment = ({ properties }: Component): boolean =>
  properties.some(({ name, value }) => name === 'cdx:npm:package:development' && value === 'true')

const plain = ({ properties: _paths, externalReferences, ...component }: Component) => ({
  ...component,
  externalReferences: externalReferences.filter(({ type }) => type !== 'distribution'),
})

/** The same tree gives the same text: without a serial number, a time and the name of this folder. */
function makeSbom(): string {
  const args = ['sbom', '--sbom-format', 'cyclonedx']
  const text = execFileSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 })
  const parsed = sbomSchema.parse(JSON.parse(text))
  const { serialNumber: _serial, metadata, components, dependencies, ...rest } = parsed
  const { timestamp: _time, component, ...others } = metadata
  const { name } = z
    .object({ name: z.string() })
    .parse(JSON.parse(readFileSync(new URL('package.json', root), 'utf8')))
  const needed = components.filter((each) => !isOfDevelopment(each))
  const refs = new Set([component['bom-ref'], ...needed.map((each) => each['bom-ref'])])
  const sbom = {
    ...rest,
    metadata: { ...others, component: { ...plain(component), name } },
    components: needed.map(plain),
    dependencies: dependencies
      .filter(({ ref }) => refs.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => refs.has(other)) })),
  }
  return `${JSON.stringify(sbom, null, 2)}\n`
}

writeFileSync(SBOM_FILE, makeSbom())
