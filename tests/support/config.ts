/** The errors of the configuration for an environment that it refuses. */
import { ConfigError, readConfig } from '#server/config.ts';

/** The errors as text for a person; empty if the environment is accepted. */
export function faultsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env, []);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}
