// A type of the program as JSON Schema: of what is written from values that no schema has checked.
import { ts } from '@ts-morph/common'
import { docOf, isOptional, membersOf, ownName, type ProgramTypes } from './program-types.ts'

export type JsonSchema = Readonly<Record<string, unknown>>

/** The schema, with every type that has a name in `$defs`. */
export function schemaOfType({ checker }: ProgramTypes, root: ts.Symbol): JsonSchema {
  const defined = new Map<string, JsonSchema>()

  const schema = (type: ts.Type): JsonSchema => {
    const name = ownName(type)
    if (name === undefined || type.isUnion()) return body(type)
    if (!defined.has(name)) {
      defined.set(name, {})
      defined.set(name, { ...described(type.aliasSymbol ?? type.symbol), ...body(type) })
    }
    return { $ref: `#/$defs/${name}` }
  }

  const described = (symbol: ts.Symbol): JsonSchema => {
    const text = docOf(symbol, checker).replaceAll(/\s*\n\s*/g, ' ')
    return text === '' ? {} : { description: text }
  }

  const body = (type: ts.Type): JsonSchema => {
    if (type.isStringLiteral() || type.isNumberLiteral()) return { const: type.value }
    if (type.isUnion()) return union(type)
    if (checker.isTupleType(type)) {
      const prefixItems = checker.getTypeArguments(type as ts.TypeReference).map(schema)
      return { type: 'array', prefixItems, items: false, minItems: prefixItems.length }
    }
    if (checker.isArrayType(type)) {
      const [item] = checker.getTypeArguments(type as ts.TypeReference)
      return { type: 'array', items: item === undefined ? {} : schema(item) }
    }
    if (type.flags & ts.TypeFlags.String) return { type: 'string' }
    if (type.flags & ts.TypeFlags.Number) return { type: 'number' }
    if (type.flags & ts.TypeFlags.Boolean) return { type: 'boolean' }
    if (type.flags & ts.TypeFlags.BooleanLiteral) return { const: checker.typeToString(type) === 'true' }
    if (type.flags & ts.TypeFlags.Null) return { type: 'null' }
    if (type.flags & ts.TypeFlags.Object) return object(type)
    throw new Error(`no JSON Schema for ${checker.typeToString(type)}`)
  }

  const union = (type: ts.UnionType): JsonSchema => {
    const { members, hasBoolean } = membersOf(type)
    const words = members.flatMap((one) => (one.isStringLiteral() ? [one.value] : []))
    const others = members.filter((one) => !one.isStringLiteral()).map(schema)
    const anyOf = [
      ...(hasBoolean ? [{ type: 'boolean' }] : []),
      ...(words.length > 0 ? [{ enum: words }] : []),
      ...others,
    ]
    return anyOf.length === 1 ? (anyOf[0] ?? {}) : { anyOf }
  }

  const object = (type: ts.Type): JsonSchema => {
    const index = checker.getIndexInfoOfType(type, ts.IndexKind.String)
    if (index !== undefined) return { type: 'object', additionalProperties: schema(index.type) }
    const all = checker.getPropertiesOfType(type)
    return {
      type: 'object',
      properties: Object.fromEntries(
        all.map((one) => [one.name, { ...described(one), ...schema(checker.getTypeOfSymbol(one)) }]),
      ),
      required: all.filter((one) => !isOptional(one)).map(({ name }) => name),
    }
  }

  const whole = body(checker.getDeclaredTypeOfSymbol(root))
  return { ...whole, $defs: Object.fromEntries([...defined].sort(([a], [b]) => (a < b ? -1 : 1))) }
}
