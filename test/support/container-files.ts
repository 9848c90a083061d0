// The files of docs/containers, parsed: their schemas say what a safe pod needs, and know no further field of a
// pod, so that a mistyped one fails.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, parseAllDocuments } from 'yaml'
import * as z from 'zod'
import { projectRoot } from './program.ts'

export const readContainerFile = (name: string): string =>
  readFileSync(join(projectRoot, 'docs/containers', name), 'utf8')

const variableSchema = z.union([
  z.strictObject({ name: z.string(), value: z.string() }),
  z.strictObject({
    name: z.string(),
    valueFrom: z.strictObject({ secretKeyRef: z.strictObject({ name: z.string(), key: z.string() }) }),
  }),
  z.strictObject({
    name: z.string(),
    valueFrom: z.strictObject({ fieldRef: z.strictObject({ fieldPath: z.string() }) }),
  }),
])
const containerSchema = z.strictObject({
  name: z.string(),
  image: z.literal('assist-harness'),
  command: z.array(z.string()).optional(),
  args: z.array(z.string()),
  env: z.array(variableSchema).default([]),
  envFrom: z
    .array(z.strictObject({ configMapRef: z.strictObject({ name: z.literal('assist-load') }) }))
    .default([]),
  ports: z.array(z.strictObject({ name: z.literal('metrics'), containerPort: z.literal(9464) })).default([]),
  resources: z.strictObject({
    requests: z.strictObject({ cpu: z.string(), memory: z.string() }),
    limits: z.strictObject({ memory: z.string() }),
  }),
  securityContext: z.strictObject({
    allowPrivilegeEscalation: z.literal(false),
    readOnlyRootFilesystem: z.literal(true),
    capabilities: z.strictObject({ drop: z.tuple([z.literal('ALL')]) }),
  }),
  volumeMounts: z.array(
    z.strictObject({ name: z.string(), mountPath: z.string(), readOnly: z.boolean().optional() }),
  ),
})
export type Container = z.infer<typeof containerSchema>

const podSchema = z.strictObject({
  restartPolicy: z.literal('Never'),
  // After a SIGTERM the program gives calls in flight 8 s.
  terminationGracePeriodSeconds: z.number().min(30).optional(),
  automountServiceAccountToken: z.literal(false),
  topologySpreadConstraints: z
    .array(
      z.strictObject({
        maxSkew: z.literal(1),
        topologyKey: z.literal('kubernetes.io/hostname'),
        whenUnsatisfiable: z.literal('ScheduleAnyway'),
        labelSelector: z.strictObject({ matchLabels: z.strictObject({ app: z.string() }) }),
      }),
    )
    .optional(),
  securityContext: z.strictObject({
    runAsNonRoot: z.literal(true),
    runAsUser: z.literal(1000),
    runAsGroup: z.literal(1000),
    fsGroup: z.literal(1000),
    seccompProfile: z.strictObject({ type: z.literal('RuntimeDefault') }),
  }),
  containers: z.tuple([containerSchema]),
  volumes: z.array(z.looseObject({ name: z.string() })),
})
const jobSchema = z.looseObject({ template: z.looseObject({ spec: podSchema }) })
const metadata = z.strictObject({ name: z.string() })
const manifestSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    apiVersion: z.literal('v1'),
    kind: z.literal('PersistentVolumeClaim'),
    metadata,
    spec: z.looseObject({ accessModes: z.array(z.string()) }),
  }),
  z.strictObject({ apiVersion: z.literal('batch/v1'), kind: z.literal('Job'), metadata, spec: jobSchema }),
  z.strictObject({
    apiVersion: z.literal('batch/v1'),
    kind: z.literal('CronJob'),
    metadata,
    spec: z.looseObject({
      schedule: z.string(),
      concurrencyPolicy: z.literal('Forbid'),
      jobTemplate: z.strictObject({ spec: jobSchema }),
    }),
  }),
])

export const readManifests = (name: string) =>
  parseAllDocuments(readContainerFile(name)).map((document) => {
    if (document.errors.length > 0) throw new Error(`${name}: ${String(document.errors[0])}`)
    return manifestSchema.parse(document.toJS())
  })

/** The pods of a file by the names of their jobs. */
export const readPods = (name: string): Map<string, z.infer<typeof podSchema>> =>
  new Map(
    readManifests(name).flatMap((manifest) => {
      if (manifest.kind === 'PersistentVolumeClaim') return []
      const job = manifest.kind === 'Job' ? manifest.spec : manifest.spec.jobTemplate.spec
      return [[manifest.metadata.name, job.template.spec]]
    }),
  )

export function containerOf(file: string, job: string): Container {
  const container = readPods(file).get(job)?.containers[0]
  if (container === undefined) throw new Error(`${file} has no ${job}`)
  return container
}

/** Instructions of the Dockerfile and what follows them, in order; lines that continue are joined. */
export const instructions = readContainerFile('Dockerfile')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => /^(\S+) (.*)$/.exec(line)?.slice(1) ?? [line, ''])
export const valuesOf = (name: string): string[] =>
  instructions.flatMap(([instruction, value = '']) => (instruction === name ? [value] : []))

const composeSchema = z.strictObject({
  name: z.literal('assist-harness'),
  services: z.record(
    z.string(),
    z.looseObject({
      image: z.string(),
      command: z.array(z.string()),
      environment: z.record(z.string(), z.string()).default({}),
      user: z.string().regex(/^[1-9]\d*:[1-9]\d*$/),
      read_only: z.literal(true),
      cap_drop: z.tuple([z.literal('ALL')]),
      security_opt: z.tuple([z.literal('no-new-privileges:true')]),
      volumes: z.array(z.string()).default([]),
    }),
  ),
  volumes: z.record(z.string(), z.null()),
})
export const { services } = composeSchema.parse(parse(readContainerFile('compose.yaml')))
