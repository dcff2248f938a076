/** Checks JSON against the SDK's types: no field may lack, be extra or lie outside its enum. */
import { join } from 'node:path';
import ts from 'typescript-api';

const ROOT = join(import.meta.dirname, '__shapes.ts');

/**
 * Compiles the named types of the SDK in about two seconds.
 * @returns the check, whose list of complaints is empty when a value fits
 */
export function openShapes<N extends string>(
  names: readonly N[],
): (value: unknown, name: N) => string[] {
  const source = [
    `import type Stripe from 'stripe';`,
    ...names.map((name, index) => `export type T${index} = Stripe.${name};`),
  ].join('\n');
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: ['node'],
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.fileExists = (file) => file === ROOT || fileExists(file);
  host.readFile = (file) => (file === ROOT ? source : readFile(file));
  host.getSourceFile = (file, ...rest) =>
    file === ROOT
      ? ts.createSourceFile(file, source, ts.ScriptTarget.ES2023)
      : getSourceFile(file, ...rest);
  const program = ts.createProgram([ROOT], options, host);
  const checker = program.getTypeChecker();
  const module = checker.getSymbolAtLocation(program.getSourceFile(ROOT)!)!;
  const types = new Map(
    checker
      .getExportsOfModule(module)
      .map((symbol) => [symbol.name, checker.getDeclaredTypeOfSymbol(symbol)]),
  );
  return (value, name) =>
    complaints(checker, value, { type: types.get(`T${names.indexOf(name)}`)!, path: name });
}

function complaints(
  checker: ts.TypeChecker,
  value: unknown,
  at: { type: ts.Type; path: string },
): string[] {
  const { type, path } = at;
  if (type.isUnion()) {
    const members = type.types.filter(
      (member) => !(member.flags & ts.TypeFlags.Undefined) && !isOtherString(member),
    );
    const tries = named(checker, members, value).map((member) =>
      complaints(checker, value, { type: member, path }),
    );
    return (
      tries.sort(
        (left, right) => left.length - right.length || depthOf(right) - depthOf(left),
      )[0] ?? []
    );
  }
  if (type.aliasSymbol?.name === 'Decimal')
    return typeof value === 'string' ? [] : [`${path}: a decimal as text is expected`];
  if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown))
    return [`${path}: the type itself is not known`];
  if (type.isStringLiteral() || type.isNumberLiteral())
    return value === type.value
      ? []
      : [`${path}: ${JSON.stringify(value)} is not ${JSON.stringify(type.value)}`];
  if (type.flags & ts.TypeFlags.BooleanLiteral)
    return String(value) === checker.typeToString(type)
      ? []
      : [`${path}: ${JSON.stringify(value)}`];
  if (type.flags & ts.TypeFlags.Null)
    return value === null ? [] : [`${path}: ${JSON.stringify(value)} is not null`];
  if (type.flags & ts.TypeFlags.StringLike)
    return typeof value === 'string' ? [] : [`${path}: text is expected`];
  if (type.flags & ts.TypeFlags.NumberLike)
    return Number.isInteger(value) ? [] : [`${path}: an integer is expected`];
  if (type.flags & ts.TypeFlags.Void) return [`${path}: must be absent`];
  if (checker.isArrayType(type)) {
    const inner = checker.getTypeArguments(type as ts.TypeReference)[0]!;
    return Array.isArray(value)
      ? value.flatMap((each, index) =>
          complaints(checker, each, { type: inner, path: `${path}[${index}]` }),
        )
      : [`${path}: a list is expected`];
  }
  return objectComplaints(checker, value, at);
}

function objectComplaints(
  checker: ts.TypeChecker,
  value: unknown,
  { type, path }: { type: ts.Type; path: string },
): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return [`${path}: an object is expected, not ${JSON.stringify(value)}`];
  const index = type.getStringIndexType();
  const found: string[] = [];
  const known = new Set<string>();
  for (const property of checker.getPropertiesOfType(type)) {
    const inner = checker.getTypeOfSymbol(property);
    if (inner.getCallSignatures().length > 0 || property.name.startsWith('__@')) continue;
    known.add(property.name);
    if (property.name in value)
      found.push(
        ...complaints(checker, Reflect.get(value, property.name), {
          type: inner,
          path: `${path}.${property.name}`,
        }),
      );
    else if (!(property.flags & ts.SymbolFlags.Optional))
      found.push(`${path}.${property.name}: missing`);
  }
  for (const [key, inner] of Object.entries(value)) {
    if (known.has(key)) continue;
    if (index) found.push(...complaints(checker, inner, { type: index, path: `${path}.${key}` }));
    else found.push(`${path}.${key}: not in the type`);
  }
  return found;
}

/** Of many kinds of event only those that bear the name are worth comparing; with none, all are. */
function named(checker: ts.TypeChecker, members: ts.Type[], value: unknown): ts.Type[] {
  const name: unknown =
    typeof value === 'object' && value !== null ? Reflect.get(value, 'type') : undefined;
  if (typeof name !== 'string' || members.length < 10) return members;
  const fitting = members.filter((member) => {
    const property = member.getProperty('type');
    const inner = property && checker.getTypeOfSymbol(property);
    return inner?.isStringLiteral() && inner.value === name;
  });
  return fitting.length > 0 ? fitting : members;
}

/** The SDK's enums also take any other text, for new values; the check closes them. */
function isOtherString(type: ts.Type): boolean {
  return type.isIntersection() && type.types.some((member) => member.flags & ts.TypeFlags.String);
}

/** Of two members that fail, the one that was understood further tells more. */
function depthOf(found: string[]): number {
  return Math.max(0, ...found.map((line) => line.split('.').length));
}
