/**
 * The path of Stripe’s webhook. It is not in the list of JSON endpoints: its body is signed
 * bytes.
 */

/**
 * POST, raw body, header Stripe-Signature; 204 when stored, 400 when the signature is not
 * Stripe's.
 */
export const stripeWebhookPath = '/api/webhooks/stripe';
