import type {CodeBase} from '../plan/code-base.ts';

/**
 * Creates the deployment's configuration (interface specification, section 2.2), with every variable that the
 * specification names.
 */
export const makeDeploymentConfig = (code: CodeBase, storage: string) => ({
  application: {storage},
  images: {
    nginx: {
      env: [
        {name: 'NGINX_SERVER_ROOT', value: code.webRoot},
        {name: 'NGINX_VHOST_PRESET', value: code.applicationType},
        {name: 'NGINX_BACKEND_HOST', value: 'localhost'},
        {name: 'NGINX_SET_REAL_IP_FROM', value: '10.0.0.0/8'},
      ],
    },
    php: {
      env: [
        {name: 'APP_ROOT', value: code.appRoot},
        {name: 'WEB_ROOT', value: code.webRoot},
      ],
    },
  },
});
