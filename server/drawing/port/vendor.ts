/** Prepares a drawing for the vendor by removing our own keys, which begin with `x_`. */
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
