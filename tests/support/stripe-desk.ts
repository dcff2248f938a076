/** Stripe as the owner of its account uses it: the calls of the dashboard, at the stand-in. */
import type { TestServer } from './server.ts';

/** One call with the secret key, whose form fields have Stripe's names. */
export async function atStripe<T = Record<string, unknown>>(
  server: TestServer,
  method: 'GET' | 'POST',
  path: string,
  fields: Record<string, string> = {},
): Promise<T> {
  const { url, secretKey } = server.house.standins!.stripe!;
  const form = new URLSearchParams(fields);
  const headers = {
    authorization: `Bearer ${secretKey}`,
    'stripe-version': '2026-10-28.endive',
    connection: 'close',
  };
  const response = await fetch(
    `${url}/v1/${path}${method === 'GET' && form.size > 0 ? `?${form}` : ''}`,
    { method, headers, ...(method === 'POST' && { body: form }) },
  );
  const body = (await response.json()) as T;
  if (!response.ok)
    throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(body)}`);
  return body;
}

interface SessionSeen {
  id: string;
  status: string;
  payment_status: string;
  payment_intent: string | null;
  metadata: Record<string, string>;
  amount_total: number;
}

export async function sessionsAtStripe(server: TestServer): Promise<SessionSeen[]> {
  return (
    await atStripe<{ data: SessionSeen[] }>(server, 'GET', 'checkout/sessions', { limit: '100' })
  ).data;
}

export async function sessionAtStripe(server: TestServer, order_id: string): Promise<SessionSeen> {
  return (await sessionsAtStripe(server)).find(
    (session) => session.metadata['order_id'] === order_id,
  )!;
}

/** The number and the sum of the refunds at Stripe. */
export async function refundsAtStripe(
  server: TestServer,
  payment_intent: string,
): Promise<{ amount: number; status: string }[]> {
  const { data } = await atStripe<{ data: { amount: number; status: string }[] }>(
    server,
    'GET',
    'refunds',
    { payment_intent, limit: '100' },
  );
  return data.map(({ amount, status }) => ({ amount, status }));
}

/**
 * Opens a checkout of ten euros by another shop on the same account; its payment has the same
 * metadata.
 */
export async function openTheirs(
  server: TestServer,
  metadata: Record<string, string>,
): Promise<{ id: string; url: string }> {
  const product = await atStripe<{ id: string }>(server, 'POST', 'products', { name: 'Maglietta' });
  const price = await atStripe<{ id: string }>(server, 'POST', 'prices', {
    product: product.id,
    currency: 'eur',
    unit_amount: '1000',
  });
  const entries = Object.entries(metadata);
  return atStripe(server, 'POST', 'checkout/sessions', {
    mode: 'payment',
    'line_items[0][price]': price.id,
    'line_items[0][quantity]': '1',
    success_url: 'https://magliette.example.org/grazie',
    ...Object.fromEntries(entries.map(([key, value]) => [`metadata[${key}]`, value])),
    ...Object.fromEntries(
      entries.map(([key, value]) => [`payment_intent_data[metadata][${key}]`, value]),
    ),
  });
}
