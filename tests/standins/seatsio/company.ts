/** A fresh company of a seats.io stand-in, made as a test suite of the vendor's would make it, with the SDK for its admin key. */
import { Region, SeatsioClient } from 'seatsio';
import { basic, SYSTEM_SECRET } from './start.ts';
import type { Standin } from './start.ts';

interface Account {
  secretKey: string;
  designerKey: string;
  publicKey: string;
  email: string;
  settings: { holdPeriodInMinutes: number };
}
interface Workspace {
  id: number;
  key: string;
  name: string;
  secretKey: string;
  secretKeys: string[];
  isDefault: boolean;
  isActive: boolean;
}
export interface TestCompany {
  admin: Account;
  workspace: Workspace;
  client: SeatsioClient;
  as: (secretKey: string, workspaceKey?: string) => SeatsioClient;
}

export async function makeCompany({ url }: Standin): Promise<TestCompany> {
  const answer = await fetch(`${url}/system/private/create-test-company`, {
    method: 'POST',
    headers: { Authorization: basic(SYSTEM_SECRET) },
  });
  const { admin, workspace } = (await answer.json()) as Pick<TestCompany, 'admin' | 'workspace'>;
  const as = (secretKey: string, workspaceKey?: string) =>
    new SeatsioClient(new Region(url), secretKey, workspaceKey).setMaxRetries(0);
  return { admin, workspace, client: as(admin.secretKey), as };
}

/** Walks all pages. The SDK does not say what its lists are made of when they are walked, but it does of their items. */
export async function collect<T>(list: AsyncIterable<unknown> & { items: T[] }): Promise<T[]> {
  const items: unknown[] = [];
  for await (const item of list) items.push(item);
  return items as T[];
}
