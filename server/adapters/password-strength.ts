/**
 * Tells whether a guesser would soon find a password: known passwords, words, keyboard rows,
 * dates, and variants of them (ASVS 6.2.4).
 */
import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads';

/** The least score for a password; lower ones mean that fewer than 10^8 tries find it. */
const enough = 3;
/**
 * The meter's work grows faster than the password and the words that it knows, so it judges only
 * their beginning.
 */
const longest = { password: 72, words: 8, word: 40 };

export interface MeterAsk {
  password: string;
  known: readonly string[];
  answer: MessagePort;
}

/**
 * Started for the first new password, because its dictionaries take a moment to unpack and, with
 * the thread, 50 MB of memory.
 */
let meter: Worker | null = null;

/** A thread of its own, so that the meter's work delays no other answer. */
function startMeter(): Worker {
  const worker = new Worker(new URL('./password-meter.ts', import.meta.url), { execArgv: [] });
  worker.unref();
  // Without a listener an error would end the server; the waiting calls see their port close.
  worker.on('error', () => {});
  worker.once('exit', () => {
    if (meter === worker) meter = null;
  });
  return worker;
}

/** `known`: words about the person that a guesser knows. */
export async function isGuessable(password: string, known: readonly string[]): Promise<boolean> {
  const words = known.slice(0, longest.words).map((word) => word.slice(0, longest.word));
  const { port1, port2 } = new MessageChannel();
  const ask: MeterAsk = {
    password: password.slice(0, longest.password),
    known: [...words, 'botteghino', 'teatro', 'biglietteria'],
    answer: port2,
  };
  meter ??= startMeter();
  meter.postMessage(ask, [port2]);
  const score = await new Promise<number>((resolve, reject) => {
    port1.once('message', resolve);
    port1.once('close', () => reject(new Error('the password meter ended')));
  });
  return score < enough;
}
