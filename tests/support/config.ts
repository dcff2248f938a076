/** What the configuration says of an environment that it refuses. */
import { ConfigError, readConfig } from '#server/config.ts';

/** In the words a person reads; none where it is taken. */
export function faultsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env, []);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}
