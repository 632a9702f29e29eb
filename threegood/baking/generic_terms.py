"""Generic learning words ("learn", "guide", "best"): they carry almost no weight in a query."""

from functools import cache
from typing import Final

from sources.matching.analysis import analyse

# English first, then the most frequent languages of queries; without accents, as words are compared.
_GENERIC: Final = """
    learn learning study studying teach teacher understand understanding understood know knowledge
    explain explained explanation tutorial tutorials guide guides guidance course courses class lesson lessons
    lecture lectures book books textbook ebook read reading article articles video videos blog post posts
    resource resources material materials source sources reference references documentation docs doc manual
    handbook intro introduction primer basics basic fundamentals beginner beginners newbie newbies newcomer
    noob dummies expert advanced intermediate start starting started begin beginning first step steps
    best good great better top recommended recommend recommendation recommendations suggest suggestion
    suggestions free official trusted reliable solid proper properly right
    find finding search looking look need needs want wants wanted wanting help helps get getting got give
    show tell make making use using used work working works
    way ways thing things stuff topic topics subject question questions answer example examples exercise
    exercises practice practical hands someone somebody anyone something anything everything
    people person user
    like really actually currently basically maybe lot lots bit
    new old big small quick quickly easy simple simply hard difficult thanks thank hello hi hey ok okay
    lernen anleitung anfanger einfuhrung kurs buch bucher erklart erklaren wie grundlagen einsteiger
    apprendre cours livre debutant debutants debuter debute tutoriel comment expliquer expliquez bases
    aprender curso libro guia principiantes principiante como empezar explicar explicacion tutoriales recursos
    imparare corso libro guida principianti principiante come iniziare spiegazione manuale
    iniciantes iniciante livro comecar aprendendo leren cursus boek uitleg handleiding
    program programming programs programmieren programmierung programmation programmer programar programacion
    programacao programmare programmazione programmeren programowanie программирование 编程 プログラミング
    nauka nauczyc kurs ksiazka poradnik poczatkujacych podstawy
    изучение учить выучить научиться учебник руководство книга курс начинающих основы как уроки
    教程 入门 入門 学习 学習 勉強 初心者 方法 書籍 资料 指南 推荐 おすすめ 使い方 やり方
"""


@cache
def generic_stems() -> frozenset[str]:
    """The stems of all these words."""
    return frozenset(word.stem for word in analyse(_GENERIC))
