/** Phones: endpoint to use case, one line each. */
import {
  changePhone,
  heartbeat,
  listPhones,
  makePhone,
  pairAgain,
  pairPhone,
  readDoorPin,
  revokePhone,
  setDoorPin,
} from '#server/contract/phones.ts';
import { wireVersion } from '#server/contract/version.ts';
import { serve, type House } from '#server/http/serve.ts';
import { pinForOffice, setDoorPin as setPin } from '#server/services/door/pin.ts';
import {
  changePhone as change,
  hearPhone,
  makePhone as make,
  pairAgain as renew,
  pairPhone as pair,
  phonesForOffice,
  revokePhone as revoke,
} from '#server/services/door/phones.ts';

export function phoneRoutes(house: House): void {
  serve(house, listPhones, () => phonesForOffice(house.ctx));
  serve(house, makePhone, ({ body }, { user }) =>
    make(house.ctx, {
      name: body.name,
      gate: body.gate ?? null,
      event_ids: body.event_ids,
      role: body.role ?? 'steward',
      actor: `user:${user.id}`,
    }),
  );
  serve(house, changePhone, ({ params, body }, { user }) =>
    change(house.ctx, params.phoneId, { ...body, actor: `user:${user.id}` }),
  );
  serve(house, pairAgain, ({ params }, { user }) =>
    renew(house.ctx, params.phoneId, `user:${user.id}`),
  );
  serve(house, revokePhone, ({ params }, { user }) =>
    revoke(house.ctx, params.phoneId, `user:${user.id}`),
  );
  serve(house, readDoorPin, () => pinForOffice(house.ctx));
  serve(house, setDoorPin, ({ body }, { user }) => setPin(house.ctx, body.pin, `user:${user.id}`));
  serve(house, pairPhone, async ({ body }) => ({
    ...(await pair(house.ctx, {
      token: body.token,
      app_version: body.app_version,
      previous_token: body.previous_token,
    })),
    wire_version: wireVersion,
  }));
  serve(house, heartbeat, async ({ body }, { phone }) => ({
    ...(await hearPhone(house.ctx, phone.phone, body)),
    wire_version: wireVersion,
  }));
}
