/** The Registro: each route connects an endpoint to its use case. */
import * as registry from '#server/contract/registry.ts';
import type { Routing } from '#server/http/serve.ts';
import { registryFile, registryList } from '#server/services/office/registry.ts';
import { registryState } from '#server/services/reconcile/registry-seals.ts';

export function registryRoutes({ serve, ctx }: Routing): void {
  serve(registry.listRegistry, ({ query }) => registryList(ctx, query));
  serve(registry.exportRegistry, ({ query }) => registryFile(ctx, query));
  serve(registry.readSeals, () => registryState(ctx));
}
