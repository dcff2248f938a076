/** Backups: each route connects an endpoint to its use case. */
import * as backups from '#server/contract/backups.ts';
import type { Routing } from '#server/http/serve.ts';
import { askBackup, backupReport } from '#server/services/backup/keep.ts';

export function backupRoutes({ serve, ctx }: Routing): void {
  serve(backups.readBackups, () => backupReport(ctx));
  serve(backups.makeBackup, (_, { user }) => askBackup(ctx, `user:${user.id}`));
}
