/** People and roles: each route connects an endpoint to its use case. */
import * as people from '#server/contract/people.ts';
import type { Routing } from '#server/http/serve.ts';
import { invite, withdrawInvite } from '#server/services/user/invitations.ts';
import {
  changeRole,
  listPeople,
  makeResetLink,
  remove,
  resetFactors,
  restore,
  suspend,
} from '#server/services/user/people.ts';

export function peopleRoutes({ serve, ctx }: Routing): void {
  serve(people.listPeople, () => listPeople(ctx));
  serve(people.invitePerson, async ({ body }, { user }) => {
    const made = await invite(ctx, { role: body.role, email: body.email ?? null, by: user });
    return { url: made.url, invite: { ...made.invite, role: body.role } };
  });
  serve(people.withdrawInvite, ({ params }, { actor }) =>
    withdrawInvite(ctx, params.inviteId, actor),
  );
  serve(people.changeRole, ({ params, body }, { actor }) =>
    changeRole(ctx, { id: params.userId, actor, role: body.role }),
  );
  serve(people.suspendPerson, ({ params }, { actor }) =>
    suspend(ctx, { id: params.userId, actor }),
  );
  serve(people.restorePerson, ({ params }, { actor }) =>
    restore(ctx, { id: params.userId, actor }),
  );
  serve(people.removePerson, ({ params }, { actor }) => remove(ctx, { id: params.userId, actor }));
  serve(people.resetFactors, ({ params }, { actor }) =>
    resetFactors(ctx, { id: params.userId, actor }),
  );
  serve(people.makeResetLink, ({ params }, { user }) =>
    makeResetLink(ctx, { id: params.userId, by: user }),
  );
}
