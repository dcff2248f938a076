/** A drawing for the vendor: keys of our own, which begin with `x_`, are removed. */
import type { Raw } from '#server/drawing/model/open.ts';

function clean(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(clean);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) =>
      key.startsWith('x_') ? [] : [[key, clean(inner)] as const],
    ),
  );
}

export function withoutOwnKeys(drawing: Raw): Raw {
  return clean(drawing) as Raw;
}
