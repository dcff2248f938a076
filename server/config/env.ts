/** What the readers of settings get: the environment, and a list that collects faults in words. */
export type Env = Record<string, string | undefined>;
