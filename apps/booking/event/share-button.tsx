/** "Condividi": shares the address of the event. */
import { useState } from 'react';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import styles from './header.module.css';

export function ShareButton({ id, title }: { id: string; title: string }) {
  const [copied, setCopied] = useState(false);

  async function share() {
    // Fetched on the press, because few visitors press it.
    const { shareLink } = await import('#apps/booking/shell/share.ts');
    const url = `${location.origin}/event/${id}`;
    setCopied(await shareLink({ title, text: title, url }));
  }
  return (
    <AsyncButton variant="bare" className={`${styles.act} needs-script`} onClick={share}>
      <Icon name="copy" size={18} /> {copied ? 'Link copiato' : 'Condividi'}
    </AsyncButton>
  );
}
