/** Personal data: each route connects an endpoint to its use case. */
import * as personal from '#server/contract/personal.ts';
import type { Routing } from '#server/http/serve.ts';
import { erasePerson } from '#server/services/person/erase.ts';
import { erasureList } from '#server/services/person/erasures.ts';
import { personFile } from '#server/services/person/export.ts';
import { personFound } from '#server/services/person/find.ts';
import { processingRegister } from '#server/services/person/register.ts';
import { retentionForOffice, writeRetention } from '#server/services/site/retention.ts';

export function personalRoutes({ serve, ctx }: Routing): void {
  serve(personal.findPerson, ({ body }) => personFound(ctx, body.email));
  serve(personal.exportPerson, ({ body }, { actor }) => personFile(ctx, body.email, actor));
  serve(personal.erasePerson, ({ body }, { actor }) => erasePerson(ctx, { ...body, actor }));
  serve(personal.listErasures, () => erasureList(ctx));
  serve(personal.readRetention, () => retentionForOffice(ctx));
  serve(personal.writeRetention, ({ body }, { actor }) => writeRetention(ctx, actor, body));
  serve(personal.readRegister, () => processingRegister(ctx));
}
