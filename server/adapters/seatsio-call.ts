/** Runs a seats.io SDK call and turns errors into ProviderRefused or ProviderUnavailable. */
import { Region, SeatsioClient } from 'seatsio';
import { timeForTry, untilDeadline } from './deadline.ts';
import { openLine } from './line.ts';
import { ProviderRefused, ProviderUnavailable } from './provider.ts';

/** The SDK's own deadline for a try. */
const longestMs = 10_000;

/** `url`: null for the real seats.io, region eu. */
export function clientOf({ url, secretKey }: { url: string | null; secretKey: string }) {
  const client = new SeatsioClient(url === null ? Region.EU() : new Region(url), secretKey);
  client.client.interceptors.request.use((config) => ({
    ...config,
    timeout: timeForTry('seats.io', config.timeout ?? longestMs),
  }));
  return client;
}

/**
 * seats.io allows an account a hundred calls at the same time, from all processes and browsers,
 * and each of ours may take ten seconds; so this process makes at most twenty.
 */
const inLine = openLine('seats.io', { mostAtOnce: 20, longestWaitMs: 10_000 });

/**
 * The SDK throws a parsed body, a bare string for an empty body, or an AxiosError; callers get
 * ProviderRefused or ProviderUnavailable.
 */
export async function askingSeats<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await untilDeadline('seats.io', () => inLine(ask));
  } catch (error) {
    const status = statusOf(error);
    if (status !== null && status >= 400 && status < 500 && status !== 408 && status !== 429) {
      const first = (error as { errors?: { code?: string; message?: string; data?: unknown }[] })
        .errors?.[0];
      throw new ProviderRefused('seats.io', first?.code ?? String(status), {
        message: first?.message ?? String(error),
        status,
        data: first?.data,
      });
    }
    throw new ProviderUnavailable(
      'seats.io',
      error instanceof Error ? error.message : JSON.stringify(error),
      error,
    );
  }
}

export function isNotFound(error: unknown): boolean {
  return statusOf(error) === 404;
}

function statusOf(error: unknown): number | null {
  if (typeof error === 'string')
    return Number(/resulted in (\d{3})/.exec(error)?.[1] ?? Number.NaN) || null;
  const status = (error as { status?: unknown } | null)?.status;
  return typeof status === 'number' ? status : null;
}
