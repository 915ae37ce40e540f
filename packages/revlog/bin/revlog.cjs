#!/usr/bin/env node
require('../dist/revlog.cjs')
