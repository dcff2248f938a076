/** Whose account the secret key opens: a shop in Italy that may sell and be paid. */
import { ok, type ReadCall, type Reply } from '#server/standins/stripe/call.ts';
import { expand } from '#server/standins/stripe/read-calls.ts';
import { readParams } from '#server/standins/stripe/transport/rules.ts';

/** GET /v1/account */
export async function retrieveAccount(call: ReadCall): Promise<Reply> {
  readParams(call.form, { expand });
  return ok({
    id: `acct_${call.settings.methodConfiguration.replace(/^pmc_/, '').slice(0, 16)}`,
    object: 'account',
    business_profile: null,
    business_type: null,
    capabilities: { card_payments: 'active', transfers: 'active' },
    charges_enabled: true,
    country: 'IT',
    default_currency: 'eur',
    details_submitted: true,
    email: null,
    metadata: {},
    payouts_enabled: true,
    settings: null,
    type: 'standard',
  });
}
