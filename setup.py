"Packaging: everything is read from settings.ini, the one place that nbdev reads too."
from configparser import ConfigParser
from pathlib import Path
from setuptools import setup, find_packages

ini = ConfigParser(delimiters=['='])
ini.read(Path(__file__).parent/'settings.ini', encoding='utf-8')
cfg = ini['DEFAULT']
extras = {k.removesuffix('_requirements'): v.split() for k,v in cfg.items() if k.endswith('_requirements')}

setup(
    name=cfg['lib_name'], version=cfg['version'], description=cfg['description'], keywords=cfg['keywords'],
    author=cfg['author'], author_email=cfg['author_email'], url=cfg['git_url'], license='Apache-2.0',
    long_description=Path('README.md').read_text(encoding='utf-8'), long_description_content_type='text/markdown',
    packages=find_packages(include=['agon', 'agon.*']), package_data={'agon': ['base/*', 'base/**/*', 'pair/*', 'pair/**/*', 'configs/*']}, include_package_data=True,
    python_requires=f">={cfg['min_python']}", install_requires=cfg['requirements'].split(), extras_require=extras,
    entry_points={'console_scripts': cfg['console_scripts'].split('\n'), 'nbdev': [f"{cfg['lib_name']}={cfg['lib_path']}._modidx:d"]},
    classifiers=['Development Status :: 3 - Alpha', 'Intended Audience :: Science/Research', 'Programming Language :: Python :: 3.11',
                 'Programming Language :: Python :: 3.12', 'Programming Language :: Python :: 3.13', 'Topic :: Scientific/Engineering :: Artificial Intelligence'],
    zip_safe=False)
