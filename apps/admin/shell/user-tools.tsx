/** The logged in user, the colours of the screen, and logout. */
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from 'react-router-dom';
import { logout } from '#server/contract/users.ts';
import { roleNames } from '#server/domain/user/user.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Icon, type IconName } from '#apps/shared/ui/icon.tsx';
import { useAct, type User } from '#apps/admin/kit/session/session.ts';
import { changeTheme, themes, useTheme, type Theme } from './theme.ts';
import styles from './layout.module.css';

export function UserTools({ user }: { user: User }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const act = useAct();

  async function leave() {
    await act(logout, {});
    // Must come first: the login screen lets a user in whom the cache still has.
    client.clear();
    await navigate('/login');
  }

  return (
    <div className={styles.who}>
      <p className={styles.whoName} title={`${user.name} · ${user.email}`}>
        {user.name}
        <small>{roleNames[user.role]}</small>
      </p>
      <Link className={styles.tool} to="/account">
        <Icon name="user" size={18} /> <span className={styles.word}>Il mio accesso</span>
      </Link>
      <ThemeSwitch />
      <AsyncButton variant="bare" className={styles.tool} onClick={leave}>
        <Icon name="logout" size={18} /> <span className={styles.word}>Esci</span>
      </AsyncButton>
    </div>
  );
}

const looks: Record<Theme, { word: string; icon: IconName }> = {
  auto: { word: 'Colori del sistema', icon: 'bolt' },
  light: { word: 'Colori chiari', icon: 'sun' },
  dark: { word: 'Colori scuri', icon: 'moon' },
};

/** One button switches between three themes: system, light, dark. */
function ThemeSwitch() {
  const theme = useTheme();
  const { word, icon } = looks[theme];
  const next = themes[themes.indexOf(theme) + 1] ?? 'auto';
  return (
    <button type="button" className={styles.tool} onClick={() => changeTheme(next)}>
      <Icon name={icon} size={18} /> <span className={styles.word}>{word}</span>
    </button>
  );
}
