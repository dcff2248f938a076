/** Waiting work, received webhooks and keys: each route connects an endpoint to its use case. */
import * as jobs from '#server/contract/jobs.ts';
import type { Routing } from '#server/http/serve.ts';
import { abandonJob, hurryJob, jobList } from '#server/services/office/jobs.ts';
import { keysInUse } from '#server/services/office/keys.ts';
import { webhookList } from '#server/services/office/received-webhooks.ts';

export function jobRoutes({ serve, ctx }: Routing): void {
  serve(jobs.listJobs, ({ query }) => jobList(ctx, query));
  serve(jobs.hurryJob, ({ params }, { user }) => hurryJob(ctx, params.jobId, `user:${user.id}`));
  serve(jobs.abandonJob, ({ params, body }, { user }) =>
    abandonJob(ctx, params.jobId, { ...body, actor: `user:${user.id}` }),
  );
  serve(jobs.listWebhooks, ({ query }) => webhookList(ctx, query));
  serve(jobs.readKeys, () => keysInUse(ctx));
}
