/** Phones: each route connects an endpoint to its use case. */
import type { Context } from 'koa';
import * as phones from '#server/contract/door/phones.ts';
import * as phoneScans from '#server/contract/door/phone-scans.ts';
import { wireVersion } from '#server/domain/door/wire.ts';
import { deviceName } from '#server/domain/user/user.ts';
import type { Routing } from '#server/http/serve.ts';
import { countPhoneScans, undoPhoneScans } from '#server/services/door/phone-scans.ts';
import { pinForOffice, setDoorPin } from '#server/services/door/pin.ts';
import {
  changePhone,
  hearPhone,
  makePhone,
  pairAgain,
  pairPhone,
  phonesForOffice,
  revokePhone,
} from '#server/services/door/phones.ts';

/** The browser's name, as the command `doctor` shows it. */
function browserOf(http: Context): string {
  return deviceName(http.get('user-agent'));
}

export function phoneRoutes({ serve, ctx }: Routing): void {
  serve(phones.listPhones, ({ query }) => phonesForOffice(ctx, query));
  serve(phones.makePhone, ({ body }, { actor }) =>
    makePhone(ctx, { ...body, gate: body.gate ?? null, role: body.role ?? 'steward', actor }),
  );
  serve(phones.changePhone, ({ params, body }, { actor }) =>
    changePhone(ctx, params.phoneId, { ...body, actor }),
  );
  serve(phones.pairAgain, ({ params }, { actor }) => pairAgain(ctx, params.phoneId, actor));
  serve(phones.revokePhone, ({ params }, { actor }) => revokePhone(ctx, params.phoneId, actor));
  serve(phoneScans.countPhoneScans, ({ params, query }) =>
    countPhoneScans(ctx, { phone_id: params.phoneId, ...query }),
  );
  serve(phoneScans.undoPhoneScans, ({ params, body }, { user }) => {
    const { from, until, passages, doubts, reason } = body;
    const span = { phone_id: params.phoneId, from, until };
    return undoPhoneScans(ctx, span, {
      seen: { passages, doubts },
      reason,
      user_id: user.id,
    });
  });
  serve(phones.readDoorPin, () => pinForOffice(ctx));
  serve(phones.setDoorPin, ({ body }, { actor }) => setDoorPin(ctx, body.pin, actor));
  serve(phones.pairPhone, async ({ body }, { http }) => ({
    ...(await pairPhone(ctx, { ...body, browser: browserOf(http) })),
    wire_version: wireVersion,
  }));
  serve(phones.heartbeat, async ({ body }, { phone, http }) => ({
    ...(await hearPhone(ctx, phone.phone, { ...body, browser: browserOf(http) })),
    wire_version: wireVersion,
  }));
}
