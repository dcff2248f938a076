/** Finds the route of a request in a table of methods and paths; `:name` is one segment. */

interface Addressed {
  method: string;
  /** `/events/:event/objects`; `:name` is one decoded segment. */
  path: string;
}

/** `allowed`: the methods of the path, if the requested one is missing; empty: unknown path. */
type Match<R> = { route: R; params: Record<string, string> } | { allowed: string[] };

/**
 * Routes with literal segments must stand first to win over parameters.
 * @throws URIError for a path with an invalid encoding
 */
export function openRouter<R extends Addressed>(
  routes: readonly R[],
): (method: string, path: string) => Match<R> {
  const table = routes.map((route) => ({ route, pattern: segmentsOf(route.path) }));
  return (method, path) => {
    const segments = segmentsOf(path).map(decodeURIComponent);
    const fitting = table.filter(({ pattern }) => fits(pattern, segments));
    const found = fitting.find(({ route }) => route.method === method);
    return found
      ? { route: found.route, params: paramsOf(found.pattern, segments) }
      : { allowed: [...new Set(fitting.map(({ route }) => route.method))] };
  };
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter(Boolean);
}

function fits(pattern: string[], segments: string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, index) => part.startsWith(':') || part === segments[index])
  );
}

function paramsOf(pattern: string[], segments: string[]): Record<string, string> {
  const named = pattern.flatMap((part, index) =>
    part.startsWith(':') ? [[part.slice(1), segments[index] ?? ''] as const] : [],
  );
  return Object.fromEntries(named);
}
