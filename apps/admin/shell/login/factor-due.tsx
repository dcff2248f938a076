/** Says by when a second factor is required; after that only the account screen opens. */
import { useState } from 'react';
import { Link, Navigate, useLocation } from 'react-router-dom';
import { readFactors } from '#server/contract/account.ts';
import { needsFactor } from '#server/domain/user/user.ts';
import { formatLongDate } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Button } from '#apps/admin/kit/button.tsx';
import { useNow } from '#apps/admin/kit/clock.ts';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { useUser } from '#apps/admin/kit/session/session.ts';

export function FactorDue() {
  const { role } = useUser();
  const { pathname } = useLocation();
  const now = useNow(60_000);
  const [later, setLater] = useState(false);
  const { data } = useEndpoint(readFactors, {}, { enabled: needsFactor(role), staleTime: 60_000 });
  if (!data || data.due_at === null || data.totp || data.passkeys.length > 0) return null;
  if (Date.parse(data.due_at) <= now)
    return pathname === '/account' ? (
      <Notice tone="bad">
        <strong>Serve un secondo fattore.</strong> Aggiungilo qui sotto: poi il resto si apre di
        nuovo.
      </Notice>
    ) : (
      <Navigate to="/account" replace />
    );
  if (later) return null;
  return (
    <Notice as="div" tone="warn">
      <p>
        Aggiungi un secondo fattore al tuo accesso entro {formatLongDate(data.due_at)}.{' '}
        <Link to="/account">Aggiungilo ora</Link>
      </p>
      <Button small look="quiet" onClick={() => setLater(true)} label="Più tardi" />
    </Notice>
  );
}
